/**
 * The site's database, forward only: a step that has been released is never edited, a change is a new step.
 * Times are UTC text; `body` columns hold the protocol's JSON, the columns beside it what is searched by. Tables that
 * grow with every car have rowids and few indexes: each index is a page more to flush while a driver waits.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  -- The event log. AUTOINCREMENT never reuses a number and a rollback takes its own back: no gaps.
  CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, body TEXT NOT NULL);

  -- In the order of arrival; found again by what the camera calls the event.
  CREATE TABLE read (
    id TEXT NOT NULL,
    camera_id TEXT NOT NULL,
    event_key TEXT NOT NULL,
    lane_id TEXT NOT NULL,
    passage_id TEXT,
    plate TEXT,
    score REAL NOT NULL,
    standing TEXT NOT NULL,
    received_at TEXT NOT NULL,
    UNIQUE (camera_id, event_key)
  );

  CREATE TABLE passage (
    id TEXT NOT NULL UNIQUE,
    lane_id TEXT NOT NULL,
    plate TEXT,
    score REAL NOT NULL,
    first_seen_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    keys TEXT NOT NULL,
    decision TEXT NOT NULL,
    visit_id TEXT,
    read_id TEXT NOT NULL,
    gate TEXT NOT NULL,
    pulsed_at TEXT,
    pulses INTEGER NOT NULL
  );
  CREATE INDEX passage_lane ON passage (lane_id, last_seen_at);

  CREATE TABLE visit (
    id TEXT NOT NULL UNIQUE,
    plate TEXT,
    plate_key TEXT,
    entry_lane_id TEXT,
    ended_at TEXT,
    body TEXT NOT NULL
  );
  CREATE UNIQUE INDEX visit_open_plate ON visit (plate) WHERE ended_at IS NULL AND plate IS NOT NULL;
  CREATE INDEX visit_open_key ON visit (plate_key) WHERE ended_at IS NULL;

  CREATE TABLE settlement (id TEXT PRIMARY KEY, visit_id TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;

  -- Its twin permit_next is built while a snapshot comes in, and takes its name: no index has a name of its own.
  CREATE TABLE permit (
    id TEXT NOT NULL UNIQUE,
    plate_key TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (plate_key, id)
  ) WITHOUT ROWID;

  CREATE TABLE list_item (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;

  CREATE TABLE camera_clock (camera_id TEXT PRIMARY KEY, behind_ms INTEGER NOT NULL) WITHOUT ROWID;
  `,
  `
  -- Like permit, with its twin vehicle_next.
  CREATE TABLE vehicle (plate TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;

  -- Units of a quota that an event took, or gave back (below zero): those that the cloud has not heard of are not in
  -- its numbers yet. Goes with the event.
  CREATE TABLE quota_units (
    seq INTEGER NOT NULL REFERENCES event (seq) ON DELETE CASCADE,
    quota_id TEXT NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (seq, quota_id)
  ) WITHOUT ROWID;
  CREATE INDEX quota_units_quota ON quota_units (quota_id, seq, units);

  CREATE INDEX settlement_visit ON settlement (visit_id);

  UPDATE visit SET body = json_set(body, '$.quota', NULL);
  `,
  `
  -- What stands until somebody says otherwise: a gate held open or kept closed, or let go of (automatic) and its
  -- device does not know yet. A gate without a row is automatic.
  CREATE TABLE gate_order (
    lane_id TEXT PRIMARY KEY,
    mode TEXT NOT NULL,
    since TEXT NOT NULL,
    given_by TEXT NOT NULL,
    why TEXT NOT NULL,
    lapses_at TEXT,
    told INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- Commands that were taken: none is taken twice.
  CREATE TABLE command (id TEXT PRIMARY KEY, taken_at TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  -- A site that goes on knows its open visits itself.
  INSERT INTO meta SELECT 'taken-over', value FROM meta WHERE key = 'epoch';

  -- The newest event that tells of it.
  ALTER TABLE visit ADD COLUMN told INTEGER NOT NULL DEFAULT 0;

  -- One index in place of two, in which each car had its page, far from that of the car before.
  DROP INDEX visit_open_plate;
  DROP INDEX visit_open_key;
  CREATE UNIQUE INDEX visit_open ON visit (plate_key, plate) WHERE ended_at IS NULL;

  -- Each lane had its page in it, and a lane's newest passages are among the site's newest.
  DROP INDEX passage_lane;

  -- Every plate that was read of a passage, as JSON.
  ALTER TABLE passage ADD COLUMN votes TEXT NOT NULL DEFAULT '[]';

  -- Plates to be forgotten, as the cloud has asked; a row goes when that is done.
  CREATE TABLE erasure (id TEXT PRIMARY KEY, plate TEXT NOT NULL, before TEXT NOT NULL) WITHOUT ROWID;

  -- Events out of which a plate was taken: not what the cloud was told any more.
  CREATE TABLE erased_event (seq INTEGER PRIMARY KEY REFERENCES event (seq) ON DELETE CASCADE);

  -- Pictures of reads; their bytes are in files. The cloud knows the read, and the visit that it stands at, once it has
  -- the event that after_seq names.
  CREATE TABLE picture (
    id TEXT NOT NULL UNIQUE,
    read_id TEXT NOT NULL,
    passage_id TEXT,
    kind TEXT NOT NULL,
    content_type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    score REAL NOT NULL,
    taken_at TEXT NOT NULL,
    state TEXT NOT NULL,
    after_seq INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    due_at TEXT NOT NULL,
    UNIQUE (read_id, kind)
  );
  CREATE INDEX picture_passage ON picture (passage_id) WHERE passage_id IS NOT NULL;
  CREATE INDEX picture_waiting ON picture (due_at, after_seq) WHERE state = 'waiting';
  CREATE INDEX picture_age ON picture (state, taken_at, bytes);

  -- Loops and how devices are.

  -- What was told of each device.
  CREATE TABLE device (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    state TEXT NOT NULL,
    detail TEXT NOT NULL,
    since TEXT NOT NULL,
    last_error TEXT,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;

  -- What was learned of how things usually are, as JSON.
  CREATE TABLE health_note (subject TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;

  -- Permits by plate are found by numbers that can be written in order; see site-lists/plate-slot.ts. A list that was
  -- half built is built anew.
  DROP TABLE IF EXISTS permit_next;
  DROP TABLE IF EXISTS vehicle_next;
  ALTER TABLE permit RENAME TO permit_by_plate;
  CREATE TABLE permit (row INTEGER PRIMARY KEY CHECK (row < 134217728), id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
  INSERT INTO permit (id, body) SELECT id, body FROM permit_by_plate ORDER BY id;
  CREATE TABLE permit_place (place INTEGER PRIMARY KEY);
  INSERT INTO permit_place
    SELECT CAST(slot_of_key(old.plate_key) AS INTEGER) * 134217728 + permit.row
    FROM permit_by_plate old JOIN permit USING (id) ORDER BY 1;
  DROP TABLE permit_by_plate;

  -- Paying on site.
  UPDATE visit SET body = json_set(body, '$.paidMinor', 0) WHERE json_extract(body, '$.paidMinor') IS NULL;

  -- The product that priced the visits of a category from a moment on; JSON null: none did.
  CREATE TABLE pricing (
    category TEXT NOT NULL,
    since TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (category, since)
  ) WITHOUT ROWID;

  -- The journal of payments: body is what the cloud is told, the rest is for the site alone. Neither a terminal nor a
  -- visit takes a second payment while one is under way; one that waits for a person holds up its visit alone.
  CREATE TABLE payment (
    id TEXT NOT NULL UNIQUE,
    order_key TEXT NOT NULL UNIQUE,
    visit_id TEXT NOT NULL,
    terminal_id TEXT NOT NULL,
    state TEXT NOT NULL,
    needs_person INTEGER NOT NULL,
    changed_at TEXT NOT NULL,
    -- Of the terminal's day that it belongs to, once that is closed.
    day_closed_at TEXT,
    body TEXT NOT NULL,
    bill TEXT NOT NULL,
    -- What the terminal had booked last before it was asked, and the transaction that it has approved.
    baseline TEXT NOT NULL,
    booking TEXT NOT NULL
  );
  CREATE UNIQUE INDEX payment_of_terminal ON payment (terminal_id)
    WHERE state IN ('created', 'sent', 'approved', 'unknown') AND needs_person = 0;
  CREATE UNIQUE INDEX payment_of_visit ON payment (visit_id)
    WHERE state IN ('created', 'sent', 'approved', 'unknown');
  CREATE INDEX payment_day ON payment (terminal_id, state) WHERE day_closed_at IS NULL;
  CREATE INDEX payment_for_person ON payment (changed_at) WHERE needs_person = 1;

  -- When a terminal's day was last closed, or tried to be.
  CREATE TABLE terminal_day (terminal_id TEXT PRIMARY KEY, tried_at TEXT NOT NULL, closed_at TEXT, body TEXT) WITHOUT ROWID;

  -- Looks for plates at kiosks, by the minute or hour in which they were made.
  CREATE TABLE kiosk_look (span TEXT NOT NULL, began TEXT NOT NULL, looks INTEGER NOT NULL, PRIMARY KEY (span, began)) WITHOUT ROWID;
  `,
  `
  -- Whoever was let out a moment ago may be read at another exit.
  CREATE INDEX visit_ended ON visit (plate, ended_at) WHERE ended_at IS NOT NULL AND plate IS NOT NULL;
  `,
];
