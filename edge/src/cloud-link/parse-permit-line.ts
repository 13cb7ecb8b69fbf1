import { z } from 'zod';
import type { ParsedPermit } from '../site-lists/feed-book.ts';

/** A text in JSON with nothing in it that is written otherwise than it reads. */
const TEXT = '[^"\\\\\\u0000-\\u001f]+';
/**
 * The form that `UtcTimeSchema` accepts, without the ends of the expression, because it is part of a longer
 * one.
 */
const TIME = `(?:null|"${z.core.regexes.datetime({ precision: 3 }).source.replace(/^\^|\$$/g, '')}")`;
const CLOCK = '"(?:[01]\\d|2[0-3]):[0-5]\\d"';
const RULE = `\\{"from":${CLOCK},"to":${CLOCK},"weekdays":\\[[1-7](?:,[1-7])*\\]\\}`;

/** PermitSchema, written as canonical JSON. */
const PERMIT_LINE = new RegExp(
  `^\\{"kind":"permit","id":"(${TEXT})","item":(\\{${[
    `"activeFrom":${TIME}(?:,"arrivalsOnly":(?:true|false))?`,
    '"effect":"(?:allow|block)"',
    `"expireAt":${TIME}`,
    '"id":"\\1"(?:,"parkedMinutes":(?:0|[1-9]\\d{0,8}))?',
    `"plate":"(${TEXT})"`,
    `"rules":\\[(?:${RULE}(?:,${RULE})*)?\\]`,
    '"status":"(?:active|paused)"',
    '"type":"(?:permanent|time|visit)"',
    `"visitId":(?:null|"(?:${TEXT})?")`,
  ].join(',')}\\})\\}$`,
);

/**
 * Reads the line of a permit as clouds write it. This takes a tenth of the time of parsing the line, checking
 * it with a schema and writing it again. Null: the line is something else or has another format;
 * `parseSnapshotLine` reads it.
 */
export function parsePermitLine(text: string): ParsedPermit | null {
  const [, id, body, plate] = PERMIT_LINE.exec(text) ?? [];
  if (id === undefined || body === undefined || plate === undefined) return null;
  return { kind: 'permit', id, plate, body };
}
