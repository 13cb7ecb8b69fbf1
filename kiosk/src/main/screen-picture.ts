import { KIOSK_PATHS } from '@hlid/protocol/pages/kiosk-paths';
import type { ShellLog } from './shell-log.ts';

/** The part of Electron's `WebContents` that takes a picture. */
export interface PicturedPage {
  capturePage(): Promise<{ toJPEG(quality: number): Uint8Array }>;
}

const QUALITY = 70;
const TIMEOUT_MS = 5000;

/** Sends what the screen shows to the edge, which waits for it under this id. Never rejects. */
export async function sendScreenPicture(
  page: PicturedPage,
  { edgeUrl, id, log }: { edgeUrl: string; id: string; log: ShellLog },
): Promise<void> {
  try {
    const picture = await page.capturePage();
    const jpeg = Buffer.from(picture.toJPEG(QUALITY)).toString('base64');
    const path = KIOSK_PATHS.screen.replace(':pictureId', encodeURIComponent(id));
    const { status } = await fetch(`${edgeUrl.replace(/\/$/, '')}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jpeg }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    log('kiosk.screen-sent', { status });
  } catch (error) {
    log('kiosk.screen-unsent', { reason: error instanceof Error ? error.message : String(error) });
  }
}
