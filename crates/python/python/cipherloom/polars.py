"""An expression namespace for Polars: `import cipherloom.polars`, then `pl.col("secret").cipherloom.decrypt(...)`.

Polars hands over Arrow's arrays, and nothing is copied on the way. The expressions are elementwise, so lazy
queries keep them and run them piece by piece where they stream.
"""

from collections.abc import Sequence
from typing import Any

import polars as pl

from . import decrypt_records, encrypt_records
from ._cipherloom import Records
from ._values import results_are_text

_SIDES = ("key", "password", "iv", "salt")


@pl.api.register_expr_namespace("cipherloom")
class Cipherloom:
    """What `pl.Expr.cipherloom` has."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def decrypt(self, *, status: bool = False, **options: Any) -> pl.Expr:
        """Decrypts a column as `cipherloom.decrypt_records` does; key, password, IV and salt may be expressions.

        A record that cannot be decrypted is null. With `status`, the result is a struct of `result`, `status`
        and `error`.
        """
        return self._work(decrypt_records, status, options)

    def encrypt(self, *, status: bool = False, **options: Any) -> pl.Expr:
        """Encrypts a column as `cipherloom.encrypt_records` does."""
        return self._work(encrypt_records, status, options)

    def _work(self, work: Any, status: bool, options: dict[str, Any]) -> pl.Expr:
        columns = {name: options.pop(name) for name in _SIDES if isinstance(options.get(name), pl.Expr)}
        is_text = options["text"] = results_are_text(work, options)
        result = pl.String() if is_text else pl.Binary()

        def serve(series: Sequence[pl.Series]) -> pl.Series:
            data, *sides = series
            # A literal stands for all rows.
            sides = [side[0] if len(side) == 1 < len(data) else side for side in sides]
            return _series(work(data, **dict(zip(columns, sides, strict=True)), **options), status)

        kind = pl.Struct({"result": result, "status": pl.String, "error": pl.String})
        return pl.map_batches(
            [self._expr, *columns.values()],
            serve,
            return_dtype=kind if status else result,
            is_elementwise=True,
        )


def _series(records: Records, status: bool) -> pl.Series:
    return pl.Series(records if status else records.results)
