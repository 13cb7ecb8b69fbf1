/** MQTT topics of one site. All QoS 1; `head` and `presence` are retained. */
export function siteTopics(siteId: string) {
  const root = `${TOPIC_ROOT}/${siteId}`;
  return {
    root,
    /** site → cloud */
    up: `${root}/up`,
    presence: `${root}/presence`,
    downAck: `${root}/down/ack`,
    commandReply: `${root}/cmd/reply`,
    board: `${root}/board`,
    /** cloud → site */
    upAck: `${root}/up/ack`,
    down: `${root}/down`,
    head: `${root}/down/head`,
    command: `${root}/cmd`,
    boardLease: `${root}/board/lease`,
  } as const;
}
export type SiteTopics = ReturnType<typeof siteTopics>;

export const TOPIC_ROOT = 'hlid/v1';

/** The site and the rest of one of its topics, such as `up/ack`; null for any other topic. */
export function splitTopic(topic: string): { siteId: string; leaf: string } | null {
  const match = /^hlid\/v1\/([^/+#]+)\/(.+)$/.exec(topic);
  const [, siteId, leaf] = match ?? [];
  return siteId === undefined || leaf === undefined ? null : { siteId, leaf };
}

/** The topics to which a site may publish, below its root. */
export const SITE_PUBLISHES: readonly string[] = ['up', 'presence', 'down/ack', 'cmd/reply', 'board'];
