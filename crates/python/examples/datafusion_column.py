"""A column of DataFusion's, decrypted by a function in SQL."""

import cipherloom
import pyarrow as pa
from datafusion import SessionContext, udf


def mysql(card: pa.Array) -> pa.Array:
    """One call for a batch of rows, which goes in and out as Arrow."""
    done = cipherloom.decrypt_records(card, preset="mysql", password="sabakala")
    return pa.array(done.results)


context = SessionContext()
cards = {"id": [1, 2, 3], "card": ["FF8F7777B28C7A459A", "68656c6c6f", "FF8F7777B28C7A459B"]}
context.from_pydict(cards, name="cards")
context.register_udf(udf(mysql, [pa.string()], pa.string(), "immutable", name="mysql"))
done = context.sql("SELECT id, mysql(card) AS plain FROM cards ORDER BY id").to_pydict()
for row in zip(done["id"], done["plain"]):
    print(*row)

# Prints:
# 1 dog
# 2 hello
# 3 None
