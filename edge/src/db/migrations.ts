/**
 * The last migration of the last release, counted from 1. A daemon that has it can use a newer database, because migrations
 * after it only add (ADR 30).
 */
export const OLDEST_MIGRATION = 1;

/**
 * The site's database, forward only: a step that has been released is never edited, a change is a new step.
 * Times are UTC text; `body` columns hold the protocol's JSON, the columns beside it what is searched by. A column
 * without a type holds JSON too, packed in older rows (packed-json.ts): SQL reads it by `unpacked(…)`. Tables that
 * grow with every car have rowids and few indexes: each index is a page more to flush while a driver waits.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  -- The event log. AUTOINCREMENT never reuses a number and a rollback takes its own back: no gaps.
  CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, body TEXT NOT NULL);

  -- Older events, compressed together (event-pack.ts): those from first_seq to last_seq, of which newest_at is the last
  -- time. A log of 30 days takes a tenth of its JSON. The cloud has seldom any use for them.
  CREATE TABLE event_pack (
    last_seq INTEGER PRIMARY KEY,
    first_seq INTEGER NOT NULL,
    newest_at TEXT NOT NULL,
    body BLOB NOT NULL
  );

  -- Events out of which a plate was erased: they differ from what the cloud has. A row is deleted with its event.
  CREATE TABLE erased_event (seq INTEGER PRIMARY KEY);

  -- Plates to be erased, as the cloud has requested. A row is deleted when that is done.
  CREATE TABLE erasure (id TEXT PRIMARY KEY, plate TEXT NOT NULL, before TEXT NOT NULL) WITHOUT ROWID;

  -- In the order of arrival; found again by the camera's own event id.
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

  -- No index by lane: a lane's newest passages are among the site's newest.
  CREATE TABLE passage (
    id TEXT NOT NULL UNIQUE,
    lane_id TEXT NOT NULL,
    plate TEXT,
    score REAL NOT NULL,
    first_seen_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    keys NOT NULL,
    decision NOT NULL,
    visit_id TEXT,
    read_id TEXT NOT NULL,
    gate TEXT NOT NULL,
    pulsed_at TEXT,
    pulses INTEGER NOT NULL,
    -- Every plate that was read of the passage, as JSON.
    votes NOT NULL DEFAULT '[]'
  );

  -- What stands still in view of a lane's camera: seen_at is the newest read of it, body is all of it as JSON.
  CREATE TABLE standing_plate (
    lane_id TEXT NOT NULL,
    plate TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (lane_id, plate)
  );

  CREATE TABLE visit (
    id TEXT NOT NULL UNIQUE,
    plate TEXT,
    plate_key TEXT,
    entry_lane_id TEXT,
    ended_at TEXT,
    body NOT NULL,
    -- The newest event of this epoch that reports it; 0 or less: none does.
    reported_seq INTEGER NOT NULL DEFAULT 0
  );
  CREATE UNIQUE INDEX visit_open ON visit (plate_key, plate) WHERE ended_at IS NULL;
  -- A vehicle that left a moment ago may be read at another exit.
  CREATE INDEX visit_ended ON visit (plate, ended_at) WHERE ended_at IS NOT NULL AND plate IS NOT NULL;

  CREATE TABLE settlement (id TEXT NOT NULL UNIQUE, visit_id TEXT NOT NULL, body NOT NULL);
  CREATE INDEX settlement_visit ON settlement (visit_id);

  -- Units of a quota that an event took, or gave back (below zero). The cloud's numbers include them once it has the
  -- event. A row is deleted with its event.
  CREATE TABLE quota_units (
    seq INTEGER NOT NULL,
    quota_id TEXT NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (seq, quota_id)
  ) WITHOUT ROWID;
  CREATE INDEX quota_units_quota ON quota_units (quota_id, seq, units);

  -- The lists of the site. Twins of permit, permit_place and vehicle (permit_next …) are built while a snapshot comes in,
  -- and take their names: no index has a name of its own.
  CREATE TABLE permit (row INTEGER PRIMARY KEY CHECK (row < 134217728), id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
  -- Permits by plate: numbers that can be written in order; see site-lists/plate-slot.ts.
  CREATE TABLE permit_place (place INTEGER PRIMARY KEY);
  CREATE TABLE vehicle (plate TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE list_item (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;

  -- The product that prices the visits of a category from a moment on; JSON null: none does.
  CREATE TABLE pricing (
    category TEXT NOT NULL,
    since TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (category, since)
  ) WITHOUT ROWID;

  -- The mode of a gate until somebody changes it: held open, kept closed, or automatic again where its device does not
  -- know yet. A gate without a row is automatic.
  CREATE TABLE gate_hold (
    lane_id TEXT PRIMARY KEY,
    mode TEXT NOT NULL,
    since TEXT NOT NULL,
    given_by TEXT NOT NULL,
    name TEXT,
    reason_code TEXT,
    reason TEXT NOT NULL,
    lapses_at TEXT,
    confirmed INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- Commands that were received: none is carried out twice.
  CREATE TABLE command (id TEXT PRIMARY KEY, taken_at TEXT NOT NULL) WITHOUT ROWID;

  -- Pictures of reads; their bytes are in files. The cloud has the read, and its visit, once it has event after_seq.
  CREATE TABLE picture (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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

  -- The journal of payments: body is what the cloud gets, the rest is for the site alone. Neither a terminal nor a visit
  -- takes a second payment while one is under way; a payment that waits for a person blocks its visit only.
  CREATE TABLE payment (
    id TEXT NOT NULL UNIQUE,
    order_key TEXT NOT NULL UNIQUE,
    visit_id TEXT NOT NULL,
    terminal_id TEXT NOT NULL,
    state TEXT NOT NULL,
    needs_person INTEGER NOT NULL,
    changed_at TEXT NOT NULL,
    -- When the terminal's day with this payment was closed.
    day_closed_at TEXT,
    body NOT NULL,
    bill NOT NULL,
    -- The terminal's last booking before the payment, and the transaction that it approved.
    baseline TEXT NOT NULL,
    booking NOT NULL
  );
  CREATE UNIQUE INDEX payment_of_terminal ON payment (terminal_id)
    WHERE state IN ('created', 'sent', 'approved', 'unknown') AND needs_person = 0;
  CREATE UNIQUE INDEX payment_of_visit ON payment (visit_id)
    WHERE state IN ('created', 'sent', 'approved', 'unknown');
  CREATE INDEX payment_day ON payment (terminal_id, state) WHERE day_closed_at IS NULL;
  CREATE INDEX payment_for_person ON payment (changed_at) WHERE needs_person = 1;

  -- When the day of a terminal was last closed, or closing it was last tried.
  CREATE TABLE terminal_day (terminal_id TEXT PRIMARY KEY, tried_at TEXT NOT NULL, closed_at TEXT, body TEXT) WITHOUT ROWID;

  -- Searches for plates at kiosks, by the minute or hour in which they were made.
  CREATE TABLE kiosk_search (span TEXT NOT NULL, began TEXT NOT NULL, searches INTEGER NOT NULL, PRIMARY KEY (span, began)) WITHOUT ROWID;

  CREATE TABLE camera_clock (camera_id TEXT PRIMARY KEY, behind_ms INTEGER NOT NULL) WITHOUT ROWID;

  -- The last reported state of each device.
  CREATE TABLE device (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT,
    state TEXT NOT NULL,
    detail TEXT NOT NULL,
    since TEXT NOT NULL,
    last_error TEXT,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;

  -- What was learned of how devices usually behave, as JSON.
  CREATE TABLE health_note (subject TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  `,
];
