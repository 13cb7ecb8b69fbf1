import type { deviceCommandRoutes } from '@hlid/cloud/sites/device-commands/device-command-routes';
import { Badge } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { Button } from '../../ui/button.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { WORDS } from './camera-words.ts';
import './cameras.css';

const api = apiOf<typeof deviceCommandRoutes>();

async function findCameras(id: string) {
  return (await read(api.sites[':id']['discovered-cameras'].$get({ param: { id } }))).data;
}

export type FoundCamera = Awaited<ReturnType<typeof findCameras>>[number];

/** Makes a site search its network for cameras, and gives the one that is chosen. */
export function FindCameras({
  siteId,
  onChoose,
}: {
  siteId: string;
  onChoose: (camera: FoundCamera) => void;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  // The search runs only on request: the site searches for some seconds.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['discovered-cameras', siteId],
    queryFn: () => findCameras(siteId),
    enabled: false,
    gcTime: 0,
    retry: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another site has other cameras
  useEffect(() => setChosen(null), [siteId]);
  return (
    <section className="found-cameras" aria-label={WORDS.find}>
      <div>
        <Button isPending={isFetching} isDisabled={siteId === ''} onPress={() => void refetch()}>
          <Search size={14} aria-hidden="true" /> {data ? WORDS.findAgain : WORDS.find}
        </Button>
      </div>
      <div role="status">
        {isFetching && <p className="quiet-text">{WORDS.finding}</p>}
        {data && !isFetching && <p className="quiet-text">{WORDS.found({ count: data.length })}</p>}
      </div>
      {error && !isFetching && <RefusedNotice error={error} />}
      {data && !isFetching && data.length > 0 && (
        <ul>
          {data.map((camera) => (
            <li key={camera.address} className={camera.address === chosen ? 'chosen' : ''}>
              <Found camera={camera} />
              <Button
                aria-label={WORDS.chooseOf({ name: nameOf(camera) })}
                onPress={() => {
                  setChosen(camera.address);
                  onChoose(camera);
                }}
              >
                {camera.address === chosen ? WORDS.chosen : WORDS.choose}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Found({ camera }: { camera: FoundCamera }) {
  const { maker, model, address, profiles, configured } = camera;
  const ids = configured.map(({ id }) => id).join(', ');
  return (
    <div>
      <p>
        <strong>{nameOf(camera)}</strong>{' '}
        <Badge tone={configured.length > 0 ? 'positive' : 'caution'}>
          {configured.length > 0 ? WORDS.configured : WORDS.notConfigured}
        </Badge>
      </p>
      {configured.length > 0 && <p>{ids}</p>}
      <p className="quiet-text">
        {[maker, model].filter((part) => part !== '').join(' ')}
        {profiles.length > 0 && ` · ${WORDS.profiles({ letters: profiles.join(', ') })}`}
        {profiles.includes('M') && ` · ${WORDS.sendsPlates}`}
      </p>
      <p className="quiet-text address">{address}</p>
    </div>
  );
}

export function nameOf({ name, model, address }: FoundCamera): string {
  return name || model || new URL(address).hostname;
}

/** The id under which its site has it, or one that the configuration there may give it. */
export function idOf({ configured, address }: FoundCamera): string {
  const known = configured.find(({ kind }) => kind === 'camera');
  return known?.id ?? `cam-${new URL(address).hostname.replaceAll(/[^A-Za-z0-9]+/g, '-')}`;
}
