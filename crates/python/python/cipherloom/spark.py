"""Columns of Apache Spark's: `cipherloom.spark.decrypt(df, "secret", preset="mysql", password=...)`.

Rows go through as batches of Arrow's, on the workers (`mapInArrow`). All columns stay, and three come behind
them: the result, a status and an error. A row that cannot be decrypted stays, without a result.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from . import Error, decrypt_records, encrypt_records

#: What has a value for all rows, or a column.
_SIDES = ("key", "password", "iv", "salt")


def decrypt(
    df: DataFrame,
    column: str,
    *,
    result: str = "result",
    status: str = "status",
    error: str = "error",
    **options: Any,
) -> DataFrame:
    """The frame with a column decrypted, as `cipherloom.decrypt_records` does it.

    `key`, `password`, `iv` and `salt` are for all rows; `key_column`, `password_column`, `iv_column` and
    `salt_column` name columns that have one for each row. Secrets for all rows are broadcast, so that they are
    no part of the plan that Spark prints.
    """
    return _work(df, column, decrypt_records, (result, status, error), options)


def encrypt(
    df: DataFrame,
    column: str,
    *,
    result: str = "result",
    status: str = "status",
    error: str = "error",
    **options: Any,
) -> DataFrame:
    """The frame with a column encrypted, as `cipherloom.encrypt_records` does it; keys as `decrypt` takes them."""
    return _work(df, column, encrypt_records, (result, status, error), options)


def _work(
    df: DataFrame,
    column: str,
    work: Callable[..., Any],
    names: tuple[str, str, str],
    options: dict[str, Any],
) -> DataFrame:
    columns = {side: options.pop(f"{side}_column") for side in _SIDES if f"{side}_column" in options}
    for name in (column, *columns.values()):
        if name not in df.columns:
            raise Error(f"the frame has no column {name}; its columns are {', '.join(df.columns)}")
    for name in names:
        if name in df.columns:
            raise Error(f"the frame has a column {name} already; name another for the result")
    is_text = options.get("text")
    if is_text is None:
        is_text = options["text"] = options.get("preset") is not None
    # Bad options are told here, and not by a worker.
    work([], **{side: [] for side in columns}, **options)
    shared = df.sparkSession.sparkContext.broadcast(options)
    added = (StringType() if is_text else BinaryType(), StringType(), StringType())
    fields = [StructField(name, kind) for name, kind in zip(names, added, strict=True)]

    def serve(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            sides = {side: batch.column(name) for side, name in columns.items()}
            made = pa.record_batch(work(batch.column(column), **sides, **shared.value))
            arrays = [*batch.columns, *made.columns]
            yield pa.RecordBatch.from_arrays(arrays, names=[*batch.schema.names, *names])

    return df.mapInArrow(serve, StructType([*df.schema.fields, *fields]))
