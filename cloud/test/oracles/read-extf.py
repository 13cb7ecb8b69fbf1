"""Reads a batch of postings (EXTF) with the reader of mloda-community-german-ledger, which knows the published fields.

The reader needs none of what its package imports beside it (pyarrow, mloda): empty stand-ins serve. Prints JSON: the
sums by account, debit above zero, and the numbers of documents.
"""

import importlib.util
import json
import pathlib
import sys
import types
from collections import defaultdict
from decimal import Decimal

folder, path = sys.argv[1:3]
ledger = pathlib.Path(folder, "mloda", "community", "feature_groups", "experimental", "german_ledger")


class Anything(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__init__": lambda self, *given, **named: None})


for name in ("pyarrow", "mloda", "mloda.provider", "ledger", "ledger.reader"):
    sys.modules[name] = Anything(name)
sys.modules["ledger.reader"]._ORIGIN_COLUMN = "origin"
sys.modules["ledger"].__path__ = [str(ledger)]
spec = importlib.util.spec_from_file_location("ledger.datev", ledger / "datev.py")
datev = importlib.util.module_from_spec(spec)
sys.modules["ledger.datev"] = datev
spec.loader.exec_module(datev)

header, legs = datev.read_batch(path)
sums = defaultdict(Decimal)
for account, amount in zip(legs["Konto"], legs["Betrag"]):
    sums[account] += amount
print(
    json.dumps(
        {
            "from": header.datum_von.isoformat(),
            "to": header.datum_bis.isoformat(),
            "consultant": header.berater,
            "rows": len(legs["Konto"]) // 2,
            "sums": {key: str(value) for key, value in sorted(sums.items())},
            "documents": sorted(set(legs["Belegfeld 1"])),
            "reversals": sum(1 for reversed in legs["Generalumkehr"] if reversed) // 2,
        }
    )
)
