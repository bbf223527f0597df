package payments;

import org.springframework.data.jpa.repository.JpaRepository;

interface Mandates extends JpaRepository<Mandate, MandateId> {}
