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
];
