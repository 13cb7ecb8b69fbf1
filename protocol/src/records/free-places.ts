/** Free places of a site or zone; null: its capacity or the cars inside are not known. */
export function freePlaces(capacity: number | null, inside: number | null): number | null {
  return capacity === null || inside === null ? null : Math.max(0, capacity - inside);
}
