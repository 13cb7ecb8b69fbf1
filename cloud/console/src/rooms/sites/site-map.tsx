import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { useNavigate } from '@tanstack/react-router';
import type { Site } from '../../shell/site.ts';
import { dayText } from '../../ui/wall-text.ts';
import { MAP, placeSites } from './site-places.ts';
import { WORDS } from './site-words.ts';
import './site-map.css';

/** More names would lie on each other. */
const MAX_NAMES = 12;
const MARK = 7;

/**
 * The sites that have coordinates, drawn where they are, without a map of somebody else below. It is for the eye and the mouse:
 * the list beside it has the same and more for keys and screen readers.
 */
export function SiteMap({ sites }: { sites: readonly Site[] }) {
  const navigate = useNavigate();
  const placed = sites.flatMap((site) => {
    const { latitude, longitude } = site.settings;
    return latitude === undefined || longitude === undefined ? [] : [{ site, latitude, longitude }];
  });
  if (placed.length === 0) return null;
  const { places, scale } = placeSites(placed);
  const { width, height } = MAP;
  return (
    <figure className="card site-map">
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {placed.map(({ site }, at) => {
          const { x = 0, y = 0 } = places[at] ?? {};
          const isLeft = x > width / 2;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list has the same for keys
            <g
              key={site.id}
              className={site.presence.connected ? 'here' : 'away'}
              onClick={() => void navigate({ to: `/${site.id}/now` })}
            >
              <title>{textOf(site)}</title>
              {site.presence.connected ? (
                <circle cx={x} cy={y} r={MARK} />
              ) : (
                <path d={`M${x} ${y - MARK - 1}l${MARK + 1} ${2 * MARK}h${-2 * (MARK + 1)}z`} />
              )}
              {placed.length <= MAX_NAMES && (
                <text x={isLeft ? x - 12 : x + 12} y={y + 5} textAnchor={isLeft ? 'end' : 'start'}>
                  {site.name}
                </text>
              )}
            </g>
          );
        })}
        <path className="scale" d={`M16 ${height - 22}v6h${scale.width}v-6`} />
        <text className="scale" x={16} y={height - 28}>
          {scale.meters < 1000
            ? WORDS.map.meters({ n: scale.meters })
            : WORDS.map.kilometers({ n: scale.meters / 1000 })}
        </text>
      </svg>
      <figcaption className="quiet-text">
        {WORDS.map.legend}
        {placed.length < sites.length && ` ${WORDS.map.notPlaced({ n: sites.length - placed.length })}`}
      </figcaption>
    </figure>
  );
}

/** The text that is shown at a site on the map. */
function textOf({ name, presence: { connected, since, software }, timeZone }: Site): string {
  const state = connected
    ? WORDS.map.connected
    : since === null
      ? WORDS.map.never
      : WORDS.map.lastContact({ when: wallText(since, timeZone) });
  return [name, state, software].filter((part) => part !== null).join(' · ');
}

function wallText(at: string, timeZone: string): string {
  const { day, time } = siteWall(new Date(at), timeZone);
  return `${dayText(day)} ${time}`;
}
