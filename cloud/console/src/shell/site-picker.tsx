import { useNavigate, useRouterState } from '@tanstack/react-router';
import { COMMON } from '../words/common.ts';
import { EVERY_SITE, useAllSites, useSiteId } from './site.ts';

/** The site that all rooms show. */
export function SitePicker() {
  const siteId = useSiteId();
  // An archived site is shown where an address names it.
  const sites = useAllSites().filter(({ id, archivedOn }) => archivedOn === null || id === siteId);
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [, , room = ''] = path.split('/');
  const choose = (site: string) => void navigate({ to: `/${site}/${room}` });
  return (
    <label className="site-picker">
      <span className="unseen">{COMMON.site}</span>
      <select value={siteId ?? EVERY_SITE} onChange={({ target }) => choose(target.value)}>
        <option value={EVERY_SITE}>{COMMON.allSites}</option>
        {sites.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
