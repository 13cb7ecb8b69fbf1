"""Reads a CSV of the books with Python's own reader, and adds each account up in exact decimals.

Prints JSON: the sums by account, the entries that do not add up to nothing, the number of rows.
"""

import csv
import json
import sys
from collections import defaultdict
from decimal import Decimal

sums = defaultdict(Decimal)
entries = defaultdict(Decimal)
rows = 0
with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    for row in csv.DictReader(file, strict=True):
        rows += 1
        amount = Decimal(row["debit"] or "0") - Decimal(row["credit"] or "0")
        sums[f'{row["account"]} {row["currency"]}'] += amount
        entries[row["entry"]] += amount
print(
    json.dumps(
        {
            "rows": rows,
            "sums": {key: str(value) for key, value in sorted(sums.items())},
            "unbalanced": [entry for entry, value in entries.items() if value != 0],
        }
    )
)
