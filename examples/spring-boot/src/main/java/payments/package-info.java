/** An application that uses Mintmark with Spring Boot and JPA. */
@NullMarked
package payments;

import org.jspecify.annotations.NullMarked;
