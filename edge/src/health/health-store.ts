import { type DeviceKind, DeviceKindSchema, DeviceStateSchema } from '@hlid/protocol/device';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { z } from 'zod';
import type { SiteDb } from '../db/site-db.ts';

const ToldSchema = z.object({
  kind: DeviceKindSchema,
  id: z.string(),
  state: DeviceStateSchema,
  detail: z.string(),
  since: UtcTimeSchema,
  lastError: z
    .string()
    .nullable()
    .transform((text): unknown => (text === null ? null : JSON.parse(text)))
    .pipe(z.object({ detail: z.string(), at: UtcTimeSchema }).nullable()),
});

/** What was told of a device. */
export type ToldDevice = z.infer<typeof ToldSchema>;

/** What is kept of the site's health over restarts. All but `load` and `note` within the running transaction. */
export interface HealthStore {
  /** What makes no sense any more (an older program runs on a newer one's database) is left out. */
  load(): ToldDevice[];
  save(told: ToldDevice): void;
  remove(kind: DeviceKind, id: string): void;
  /** What was noted of a subject, or null where nothing was that the schema takes. */
  note<Schema extends z.ZodType>(subject: string, schema: Schema): z.output<Schema> | null;
  saveNote(subject: string, body: object): void;
}

export function createHealthStore(db: SiteDb): HealthStore {
  const all = db.prepare('SELECT kind, id, state, detail, since, last_error AS lastError FROM device');
  const save = db.prepare(`
    INSERT INTO device VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET
    state = excluded.state, detail = excluded.detail, since = excluded.since, last_error = excluded.last_error`);
  const remove = db.prepare('DELETE FROM device WHERE kind = ? AND id = ?');
  const note = db.prepare<[string], string>('SELECT body FROM health_note WHERE subject = ?').pluck();
  const saveNote = db.prepare(
    'INSERT INTO health_note VALUES (?, ?) ON CONFLICT (subject) DO UPDATE SET body = excluded.body',
  );
  return {
    load: () =>
      all.all().flatMap((row) => {
        const told = ToldSchema.safeParse(row);
        return told.success ? [told.data] : [];
      }),
    save({ kind, id, state, detail, since, lastError }) {
      save.run(kind, id, state, detail, since, lastError && JSON.stringify(lastError));
    },
    remove: (kind, id) => void remove.run(kind, id),
    note(subject, schema) {
      const body = note.get(subject);
      const read = body === undefined ? null : schema.safeParse(JSON.parse(body));
      return read?.success ? read.data : null;
    },
    saveNote: (subject, body) => void saveNote.run(subject, JSON.stringify(body)),
  };
}
