"""Columns of Apache Spark's: `cipherloom.spark.decrypt(df, "secret", preset="mysql", password=...)`.

The columns that are needed go to Python's workers as arrays of Arrow's, a batch of rows at a time, and come back as
three: the result, a status and an error. All others stay where they are. A row that cannot be decrypted stays,
without a result.
"""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql.pandas.functions import arrow_udf
from pyspark.sql.types import BinaryType, StringType, StructField, StructType
from pyspark.sql.utils import is_remote

from . import Error, decrypt_records, encrypt_records
from ._values import results_are_text

#: What has a value for all rows, or a column.
_SIDES = ("key", "password", "iv", "salt")
#: What records have, and the column that has all of it for a while.
_PARTS = ("result", "status", "error")
_WHOLE = "cipherloom, the whole"


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
    no part of the plan that Spark prints; Spark Connect has no broadcast, and there they go with the function.
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
    is_text = options["text"] = results_are_text(work, options)
    # Bad options are told here, and not by a worker.
    work([], **{side: [] for side in columns}, **options)
    shared = _share(df, options)
    kinds = (StringType() if is_text else BinaryType(), StringType(), StringType())
    struct = StructType([StructField(name, kind) for name, kind in zip(_PARTS, kinds, strict=True)])

    def serve(data: pa.Array, *sides: pa.Array) -> pa.Array:
        return pa.array(work(data, **dict(zip(columns, sides, strict=True)), **shared()))

    # Once for each row: Spark runs again, for a filter say, what it takes for deterministic.
    served: Any = arrow_udf(serve, struct)  # type: ignore[call-overload]
    served = served.asNondeterministic()
    whole = df.withColumn(_WHOLE, served(*map(_named, (column, *columns.values()))))
    parts = {name: _named(_WHOLE)[part] for name, part in zip(names, _PARTS, strict=True)}
    return whole.withColumns(parts).drop(_WHOLE)


def _share(df: DataFrame, options: dict[str, Any]) -> Callable[[], dict[str, Any]]:
    """What gives the options to a worker."""
    if is_remote():
        return lambda: options
    broadcast = df.sparkSession.sparkContext.broadcast(options)
    return lambda: broadcast.value


def _named(name: str) -> Column:
    """A column by its name, whatever characters that has."""
    return f.col("`" + name.replace("`", "``") + "`")
