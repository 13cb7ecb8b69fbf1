import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { type DeviceKind, DeviceKindSchema, DeviceStateSchema } from '@hlid/protocol/records/device';
import { z } from 'zod';
import type { SiteDb } from '../db/site-db.ts';

const StoredDeviceSchema = z.object({
  kind: DeviceKindSchema,
  id: z.string(),
  /** Null: people have given it none. */
  name: z.string().nullable(),
  state: DeviceStateSchema,
  detail: z.string(),
  since: UtcTimeSchema,
  lastError: z
    .string()
    .nullable()
    .transform((text): unknown => (text === null ? null : JSON.parse(text)))
    .pipe(z.object({ detail: z.string(), at: UtcTimeSchema }).nullable()),
});
type StoredDevice = z.infer<typeof StoredDeviceSchema>;

/** The rows about the health of devices. All but `load` and `note` run within the running transaction. */
export class HealthStore {
  readonly #selectDevices;
  readonly #upsertDevice;
  readonly #deleteDevice;
  readonly #selectNote;
  readonly #upsertNote;

  constructor(db: SiteDb) {
    this.#selectDevices = db.prepare(
      'SELECT kind, id, name, state, detail, since, last_error AS lastError FROM device',
    );
    this.#upsertDevice = db.prepare(`
      INSERT INTO device (kind, id, name, state, detail, since, last_error) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kind, id)
      DO UPDATE SET name = excluded.name, state = excluded.state, detail = excluded.detail, since = excluded.since, last_error = excluded.last_error`);
    this.#deleteDevice = db.prepare('DELETE FROM device WHERE kind = ? AND id = ?');
    this.#selectNote = db.prepare<[string], string>('SELECT body FROM health_note WHERE subject = ?').pluck();
    this.#upsertNote = db.prepare(
      'INSERT INTO health_note (subject, body) VALUES (?, ?) ON CONFLICT (subject) DO UPDATE SET body = excluded.body',
    );
  }

  /** Rows that this version cannot read (it may be older than the database) are left out. */
  load(): StoredDevice[] {
    return this.#selectDevices.all().flatMap((row) => StoredDeviceSchema.safeParse(row).data ?? []);
  }

  save({ kind, id, name, state, detail, since, lastError }: StoredDevice): void {
    this.#upsertDevice.run(kind, id, name, state, detail, since, lastError && JSON.stringify(lastError));
  }

  remove(kind: DeviceKind, id: string): void {
    this.#deleteDevice.run(kind, id);
  }

  /** The note about a subject; null where there is none, or none of this schema. */
  note<Schema extends z.ZodType>(subject: string, schema: Schema): z.output<Schema> | null {
    const body = this.#selectNote.get(subject);
    const read = body === undefined ? null : schema.safeParse(JSON.parse(body));
    return read?.success ? read.data : null;
  }

  saveNote(subject: string, body: object): void {
    this.#upsertNote.run(subject, JSON.stringify(body));
  }
}
