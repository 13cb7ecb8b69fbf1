import { lazyRouteComponent } from '@tanstack/react-router';
import { Refusal } from '../calls/refusal.ts';

/**
 * A page that is loaded when it is first shown. Without a network it is not there, and says so in its place; the router
 * would load the whole console again, which is right only where a newer console has other files.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      throw navigator.onLine ? error : Refusal.noAnswer();
    }
  }, name);
