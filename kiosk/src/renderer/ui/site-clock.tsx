import { useEffect, useState } from 'react';
import { useKiosk } from '../kiosk-context.ts';
import { timeText } from '../site-clock.ts';

const POLL_EVERY_MS = 1000;

/** The time on the site's wall. A shell sees by its beat that the page lives. */
export function SiteClock() {
  const { site, language } = useKiosk();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(new Date());
      document.documentElement.dataset['alive'] = String(Date.now());
    }, POLL_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return <time className="clock">{timeText(now, site.timeZone, language)}</time>;
}
