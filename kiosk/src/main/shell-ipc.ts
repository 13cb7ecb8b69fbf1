import { z } from 'zod';
import { isOwnPage } from './address-policy.ts';

const BeatSchema = z.strictObject({
  /** There is something on the screen: React takes all of it away when a component throws. */
  shows: z.boolean(),
  /** No driver uses the kiosk: it shows its first screen. */
  idle: z.boolean(),
});
/** The preload script's report about the page. */
export type Beat = z.infer<typeof BeatSchema>;

/** The fields of Electron's `WebFrameMain` that the check reads. */
export interface Sender {
  url: string;
  /** Null: it is the page itself, in no other. */
  parent: object | null;
}

const PictureSchema = z.uuid();

/** Reads a message of `SHELL_CHANNELS.beat`; null: not from our page, or not a beat, and to be ignored. */
export function readBeat(sender: Sender | null, message: unknown): Beat | null {
  if (!sender || sender.parent !== null || !isOwnPage(sender.url)) return null;
  return BeatSchema.safeParse(message).data ?? null;
}

/** Reads a message of `SHELL_CHANNELS.picture`: the id of the picture; null likewise. */
export function readPictureId(sender: Sender | null, message: unknown): string | null {
  if (!sender || sender.parent !== null || !isOwnPage(sender.url)) return null;
  return PictureSchema.safeParse(message).data ?? null;
}
