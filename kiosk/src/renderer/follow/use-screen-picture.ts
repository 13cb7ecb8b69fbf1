import { MAX_SCREEN_TEXT } from '@hlid/protocol/pages/kiosk-paths';
import { useEffect } from 'react';
import type { KioskEdge } from '../kiosk-edge.ts';

/**
 * Takes a picture of the screen for a person in support. The shell takes it (its preload script looks for the
 * id here); a browser cannot, and sends the text of the page.
 */
export function useScreenPicture(edge: KioskEdge, pictureId: string | null): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (pictureId === null) return;
    if (dataset['shell'] !== undefined) {
      dataset['picture'] = pictureId;
      return () => {
        delete dataset['picture'];
      };
    }
    const abort = new AbortController();
    const text = document.body.innerText.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_SCREEN_TEXT);
    void edge.screenText(pictureId, text, abort.signal);
    return () => abort.abort();
  }, [edge, pictureId]);
}
