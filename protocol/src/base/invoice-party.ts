import { z } from 'zod';
import { TypedTextSchema } from './card-number.ts';
import { MAX_NAME } from './limits.ts';
import { wrong } from './mistakes/mistake.ts';

const MAX_POSTCODE = 20;

/** The data of a seller or a buyer that EN 16931 and Peppol require, beside name and national id. */
export const INVOICE_PARTY_SHAPE = {
  street: TypedTextSchema.trim().min(1).max(MAX_NAME),
  postcode: TypedTextSchema.trim().min(1).max(MAX_POSTCODE),
  city: TypedTextSchema.trim().min(1).max(MAX_NAME),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, wrong('country-form'))
    .describe('ISO 3166-1, such as `IS`.'),
  electronicAddress: z
    .string()
    .regex(/^\d{4}:[\w.-]{1,50}$/, wrong('electronic-address-form'))
    // In Iceland the id is a kennitala.
    .refine(
      (text) => !text.startsWith('0196:') || /^0196:\d{10}$/.test(text),
      wrong('electronic-address-form'),
    )
    .describe('For electronic invoices, as Peppol writes it: scheme and id, such as `0196:5501012340`.'),
};
