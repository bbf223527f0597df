-- The codes of the types of references. No parameters. Locks: none.
select t.codes, t.code
from mintmark.reference_type t
