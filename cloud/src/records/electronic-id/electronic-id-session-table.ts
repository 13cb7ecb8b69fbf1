import type { Language } from '@hlid/protocol/base/language';
import type { ElectronicIdPurpose } from '@hlid/protocol/words/electronic-id-words';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { sql } from '../../platform/db/sql.ts';
import { driverTable } from '../drivers/driver-table.ts';

/**
 * Logins by electronic identity that are under way, for some minutes each. Any cloud may continue with one. A reader
 * of this table cannot: the secrets are hashed, and what belongs to the phone and the provider is encrypted with
 * them.
 */
export const electronicIdSessionTable = sqliteTable(
  'electronic_id_session',
  {
    /** SHA-256 of the session's secret. */
    hash: text('hash').primaryKey(),
    purpose: text('purpose').$type<ElectronicIdPurpose>().notNull(),
    /** The driver who has begun it, with `connect`. */
    driverId: text('driver_id').references(() => driverTable.id, { onDelete: 'cascade' }),
    /** SHA-256 of the poll token; null: no person has been named yet. */
    pollHash: text('poll_hash'),
    /** SHA-256 of the phone's number or the kennitala: one open session each. */
    personHash: text('person_hash'),
    /**
     * `new`: no person has been named. `prepared`: the code is shown. `starting`: the phone is being called, once.
     * `pending`: the person has not answered yet.
     */
    step: text('step').$type<'new' | 'prepared' | 'starting' | 'pending'>().notNull(),
    /** The identification and the provider's state, encrypted. */
    sealed: text('sealed'),
    language: text('language').$type<Language>(),
    deviceUuid: text('device_uuid'),
    /** The person has logged in on that device before. */
    isKnownDevice: integer('is_known_device', { mode: 'boolean' }).notNull(),
    polls: integer('polls').notNull(),
    /** Polls before that are too fast. */
    nextPollAt: text('next_poll_at').notNull(),
    /** After this time the session is no longer polled, and the person may start again. */
    abandonedAt: text('abandoned_at').notNull(),
    expiresAt: text('expires_at').notNull(),
  },
  (table) => [
    index('electronic_id_session_by_person').on(table.personHash),
    index('electronic_id_session_by_expiry').on(table.expiresAt),
    // The deletion of a driver uses this index.
    index('electronic_id_session_by_driver').on(table.driverId).where(sql`driver_id is not null`),
  ],
);

/**
 * Devices on which a person has logged in by electronic identity. Each is the SHA-256 of the person and of the
 * device's own secret, so it names no person.
 */
export const electronicIdDeviceTable = sqliteTable(
  'electronic_id_device',
  {
    hash: text('hash').primaryKey(),
    expiresAt: text('expires_at').notNull(),
  },
  (table) => [index('electronic_id_device_by_expiry').on(table.expiresAt)],
);
