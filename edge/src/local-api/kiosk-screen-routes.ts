import { KioskScreenSchema } from '@hlid/protocol/pages/kiosk-screen';
import { Hono } from 'hono';
import type { KioskScreen } from '../health/kiosk-screen.ts';
import type { LocalEnv } from './local-env.ts';
import { refuseKiosk, withBody } from './refusals.ts';

/** Receives the picture of the kiosk's screen that support has requested. */
export function kioskScreenRoutes(screen: KioskScreen | null): Hono<LocalEnv> {
  return new Hono<LocalEnv>().basePath('/api/kiosk').post('/screen/:pictureId', (c) =>
    withBody(c, KioskScreenSchema, (sent) => {
      const view =
        'jpeg' in sent
          ? { kind: 'picture' as const, contentType: 'image/jpeg', picture: Buffer.from(sent.jpeg, 'base64') }
          : { kind: 'text' as const, text: sent.text };
      const isWanted = screen?.answer(c.req.param('pictureId'), view) ?? false;
      return isWanted ? c.json({}) : refuseKiosk(c, 'not-found');
    }),
  );
}
