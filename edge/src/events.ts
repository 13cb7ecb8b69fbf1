/** The facts that the edge daemon logs, by name. Stable: dashboards and scripts look for them. */
export const LOG_EVENTS = {
  edgeReady: 'edge.ready',
  edgeStopping: 'edge.stopping',
  edgeStopped: 'edge.stopped',
  edgeFailed: 'edge.failed',

  cameraDocumentTaken: 'camera.document-taken',
  cameraDocumentRefused: 'camera.document-refused',
  cameraDocumentFailed: 'camera.document-failed',
  cameraClockLearned: 'camera.clock-learned',

  onvifState: 'onvif.state',
  onvifTrigger: 'onvif.trigger',
  onvifReadLost: 'onvif.read-lost',

  gateMoved: 'gate.moved',
  gateUnrecorded: 'gate.unrecorded',
  gateOrdered: 'gate.ordered',
  gateOrderUnsaved: 'gate.order-unsaved',
  commandTaken: 'command.taken',
  commandDropped: 'command.dropped',
  laneFailed: 'lane.failed',
  cameraClockUnsaved: 'camera.clock-unsaved',
  forgettingFailed: 'outbox.forgetting-failed',

  linkConnected: 'link.connected',
  linkLost: 'link.lost',
  linkMessageRefused: 'link.message-refused',
  outboxSent: 'outbox.sent',
  outboxAcknowledged: 'outbox.acknowledged',
  outboxRewound: 'outbox.rewound',
  outboxRetry: 'outbox.retry',
  outboxStuck: 'outbox.stuck',
  feedApplied: 'feed.applied',
  feedReplaced: 'feed.replaced',
  feedRetry: 'feed.retry',

  boardRequestFailed: 'board.request-failed',
} as const;
