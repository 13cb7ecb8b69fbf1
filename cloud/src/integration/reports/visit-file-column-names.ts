/** The columns, in the usual order. */
export const FILE_COLUMNS = [
  'site',
  'plate',
  'startedOn',
  'endedOn',
  'stay',
  'status',
  'paymentStatus',
  'stayPrice',
  'due',
  'invoiceNumber',
  'invoiced',
  'invoiceStatus',
  'currency',
  'category',
  'customer',
  'flags',
  'id',
] as const;
export type VisitFileColumn = (typeof FILE_COLUMNS)[number];
