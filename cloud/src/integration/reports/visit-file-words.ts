import type { VehicleCategory } from '@hlid/protocol/tariff/product';

export const FILE_LANGUAGES = ['is', 'en'] as const;
export type FileLanguage = (typeof FILE_LANGUAGES)[number];

/** What the file of visits says, beside flags, which protocol/words has. */
interface VisitFileWords {
  sheet: string;
  headers: Record<VisitFileColumn, string>;
  category: Record<VehicleCategory, string>;
}

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

export const VISIT_FILE_WORDS: Record<FileLanguage, VisitFileWords> = {
  is: {
    sheet: 'Dvalir',
    headers: {
      site: 'Bílastæði',
      plate: 'Bílnúmer',
      startedOn: 'Inn',
      endedOn: 'Út',
      stay: 'Dvöl',
      status: 'Staða',
      paymentStatus: 'Uppgjör',
      stayPrice: 'Verð dvalar',
      due: 'Ógreitt',
      invoiceNumber: 'Reikningur nr.',
      invoiced: 'Á reikningi',
      invoiceStatus: 'Staða reiknings',
      currency: 'Gjaldmiðill',
      category: 'Flokkur',
      customer: 'Viðskiptavinur',
      flags: 'Athugasemdir',
      id: 'Auðkenni',
    },
    category: { light: 'Léttur', heavy: 'Þungur' },
  },
  en: {
    sheet: 'Visits',
    headers: {
      site: 'Site',
      plate: 'Plate',
      startedOn: 'In',
      endedOn: 'Out',
      stay: 'Stay',
      status: 'Status',
      paymentStatus: 'Settled by',
      stayPrice: 'Price of stay',
      due: 'Due',
      invoiceNumber: 'Invoice no.',
      invoiced: 'Invoiced',
      invoiceStatus: 'Invoice status',
      currency: 'Currency',
      category: 'Category',
      customer: 'Customer',
      flags: 'Remarks',
      id: 'Id',
    },
    category: { light: 'Light', heavy: 'Heavy' },
  },
};
