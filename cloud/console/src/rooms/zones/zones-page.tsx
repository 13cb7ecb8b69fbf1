import type { zoneRoutes } from '@hlid/cloud/zones/zone-routes';
import { apiOf, read } from '../../calls/api.ts';
import { useSiteFilter, useSites } from '../../shell/site.ts';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
import { wordsIn } from '../../words/words.ts';

const WORDS = wordsIn(
  {
    title: 'Zones',
    name: 'Name',
    site: 'Site',
    inside: 'Inside',
    capacity: 'Capacity',
    empty: 'There are no zones',
    emptyHint: 'A zone is an area of a site with a capacity of its own.',
  },
  {
    title: 'Svæði',
    name: 'Heiti',
    site: 'Bílastæði',
    inside: 'Inni',
    capacity: 'Stæði',
    empty: 'Engin svæði',
    emptyHint: 'Svæði er hluti af bílastæði með eigin fjölda stæða.',
  },
);

const api = apiOf<typeof zoneRoutes>();

export function ZonesPage() {
  const query = useSiteFilter();
  const sites = useSites();
  const list = useList(
    ['zones', query],
    ({ id }) => id,
    () => read(api.zones.$get({ query })),
  );
  return (
    <Page title={WORDS.title}>
      <ListView
        list={list}
        label={WORDS.title}
        idOf={({ id }) => id}
        columns={[
          { id: 'name', title: WORDS.name, isWide: true, cell: ({ name }) => name },
          {
            id: 'site',
            title: WORDS.site,
            cell: ({ siteId }) => sites.find(({ id }) => id === siteId)?.name ?? siteId,
          },
        ]}
        empty={
          <Empty title={WORDS.empty}>
            <p>{WORDS.emptyHint}</p>
          </Empty>
        }
      />
    </Page>
  );
}
