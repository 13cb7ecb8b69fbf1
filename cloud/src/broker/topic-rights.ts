import { SITE_PUBLISHES, siteTopics, splitTopic } from '@hlid/protocol/topics';

/** Whether a site may publish there: what sites say, under its own root. */
export function mayPublish(siteId: string, topic: string): boolean {
  const parts = splitTopic(topic);
  return parts !== null && parts.siteId === siteId && SITE_PUBLISHES.includes(parts.leaf);
}

/** Whether a site may subscribe to this: its own root and anything under it, wildcards after the root included. */
export function maySubscribe(siteId: string, filter: string): boolean {
  const { root } = siteTopics(siteId);
  return filter === root || filter.startsWith(`${root}/`);
}

/** Of what a site publishes, only its presence is kept for those who come later. */
export function mayRetain(siteId: string, topic: string): boolean {
  return topic === siteTopics(siteId).presence;
}
