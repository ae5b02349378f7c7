"""A column of DuckDB's, decrypted: by a function in SQL, and as a table beside the others."""

import cipherloom
import duckdb
import pyarrow as pa
from duckdb.sqltypes import VARCHAR


def mysql(card: pa.ChunkedArray) -> pa.Array:
    """One call for a vector of rows, which goes in and out as Arrow."""
    return pa.array(cipherloom.decrypt_records(card, preset="mysql", password="sabakala").results)


db = duckdb.connect()
db.sql("CREATE TABLE cards (id INTEGER, card VARCHAR)")
db.sql("INSERT INTO cards VALUES (1, 'FF8F7777B28C7A459A'), (2, '68656c6c6f'), (3, 'FF8F7777B28C7A459B')")

db.create_function("mysql", mysql, [VARCHAR], VARCHAR, type="arrow", null_handling="special")
for row in db.sql("SELECT id, mysql(card) FROM cards ORDER BY id").fetchall():
    print(*row)

# With the statuses: the table of Arrow's is one that SQL can name.
column = db.sql("SELECT card FROM cards ORDER BY id").to_arrow_table()["card"]
done = pa.table(pa.record_batch(cipherloom.decrypt_records(column, preset="mysql", password="sabakala")))
for row in db.sql("SELECT status, count(*) FROM done GROUP BY status ORDER BY status").fetchall():
    print(*row)

# Prints:
# 1 dog
# 2 hello
# 3 None
# decrypted 1
# passed through 1
# wrong key 1
