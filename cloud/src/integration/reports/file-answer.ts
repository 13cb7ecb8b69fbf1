import { messageOf } from '@hlid/protocol/base/fault';
import { OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { EVENTS } from '../../platform/events.ts';
import type { CloudContext, CloudEnv } from '../../platform/http/cloud-env.ts';
import { pieceStream } from '../../platform/http/piece-stream.ts';
import { LIST_REFUSALS } from '../../platform/http/route-schemas.ts';
import type { FileFormat } from './report-files.ts';

const XLSX: string = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CSV: string = 'text/csv; charset=utf-8';
const FileSchema = z.string().openapi({ format: 'binary' });

/** The query of a report as a file. */
export const tableOptions = {
  format: z.enum(['xlsx', 'csv']).default('xlsx'),
  language: OfficeLanguageSchema.default('is').describe('The language of headers and cells.'),
  separator: z
    .enum([';', ','])
    .default(';')
    .describe('The separator of CSV. `;` implies a decimal comma, `,` a decimal point.'),
};

export const FILE_RESPONSES = {
  200: {
    description: 'The file',
    content: { [XLSX]: { schema: FileSchema }, 'text/csv': { schema: FileSchema } },
  },
  ...LIST_REFUSALS,
};

export function fileFormat(kind: 'xlsx' | 'csv', separator: ';' | ','): FileFormat {
  return kind === 'xlsx' ? { kind } : { kind, separator };
}

/** Sends a file as it is made. */
export async function sendPieces(
  c: Context<CloudEnv>,
  log: CloudContext['log'],
  name: string,
  begin: (signal: AbortSignal) => AsyncGenerator<Uint8Array>,
) {
  const body = await pieceStream(begin, (error) =>
    log.warn({
      event: EVENTS.downloadBroken,
      requestId: c.get('requestId'),
      reason: messageOf(error),
    }),
  );
  return c.body(body, 200, {
    'Content-Type': name.endsWith('.xlsx') ? XLSX : CSV,
    'Content-Disposition': `attachment; filename="${name}"`,
  });
}

/** The name of the file, such as `visits-2026-11-01-2026-11-30.xlsx`. */
export function fileName(
  report:
    | 'income'
    | 'visits'
    | 'traffic'
    | 'overview'
    | 'occupancy'
    | 'cameras'
    | 'devices'
    | 'permits'
    | 'receivables'
    | 'collection'
    | 'reminders'
    | 'collection-changes',
  times: readonly string[],
  kind: string,
): string {
  const days = times.map((text) => text.slice(0, 'YYYY-MM-DD'.length));
  return `${report}-${days.join('-')}.${kind}`;
}
