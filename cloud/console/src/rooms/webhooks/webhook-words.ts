import type { IntegrationEventType } from '@hlid/cloud/records/webhooks/integration-event-table';
import { roomWords } from '../../words/words.ts';

export const WORDS = roomWords('webhooks').webhook;

/** Each kind of event in words. */
export const EVENT_WORDS: Record<IntegrationEventType, string> = roomWords('webhooks').eventWords;
