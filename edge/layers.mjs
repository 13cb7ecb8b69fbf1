/**
 * The layers of the edge (ADR 48), lowest first. A folder imports only from folders that stand before it in this list.
 * A name with a slash is a part of a folder that has a place of its own; the files of `edge/src` itself are named, and
 * the others of them are below everything.
 */
const layers = {
  'database and log': ['cloud-link/event-source', 'site-lists/plate-slot', 'db', 'outbox', 'edge-context'],
  devices: ['onvif', 'gate', 'loop', 'terminal', 'display', 'camera/camera-lanes', 'camera/onvif-plate'],
  configuration: [
    'backup',
    'upgrade',
    'health/health-state',
    'retention',
    'config',
    'cloud-access',
    'enrol',
    'read-config',
  ],
  records: ['cloud-link/feed-book', 'site-lists', 'passage', 'quota', 'visit', 'epoch'],
  rules: ['decision'],
  lane: ['lane', 'camera', 'picture', 'site-core'],
  payment: ['payment'],
  'cloud and people': ['board', 'commands', 'cloud-link', 'health', 'local-api'],
  program: ['edge-parts', 'edge', 'command-line', 'main'],
};

/** The exceptions are imports that may point up, and why. */
export const table = {
  layers,
  exceptions: {},
};
