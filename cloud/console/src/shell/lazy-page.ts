import { lazyRouteComponent } from '@tanstack/react-router';
import { Refusal } from '../calls/refusal.ts';
import { loadRoomWords, type RoomWithWords } from '../words/words.ts';

/**
 * A page that is loaded when it is first shown, after the texts of its rooms. Without a network a message
 * stands in its place. The router would load the whole console again, which is right only if a newer console
 * has other files.
 */
export const lazyPage = <Pages extends Record<string, unknown>, Name extends keyof Pages>(
  rooms: readonly RoomWithWords[],
  load: () => Promise<Pages>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    try {
      await loadRoomWords(rooms);
      return await load();
    } catch (error) {
      throw navigator.onLine ? error : Refusal.noAnswer();
    }
  }, name);
