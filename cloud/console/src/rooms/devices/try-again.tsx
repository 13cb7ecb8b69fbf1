import type { deviceCommandRoutes } from '@hlid/cloud/sites/device-commands/device-command-routes';
import type { DeviceKind } from '@hlid/protocol/records/device';
import { Badge } from '@hlid/ui/badge';
import { RotateCw } from 'lucide-react';
import { apiOf, COMMAND_TIMEOUT_MS, read } from '../../calls/api.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { stateName, stateTone, WORDS } from './device-words.ts';

const api = apiOf<typeof deviceCommandRoutes>(COMMAND_TIMEOUT_MS);

/** Makes the site connect to a device again, and shows its state then. */
export function TryAgain({
  siteId,
  kind,
  id,
  alarm,
}: {
  siteId: string;
  kind: DeviceKind;
  id: string;
  alarm: boolean;
}) {
  const param = { id: siteId, kind, device: id };
  const check = useSubmit(
    (_at: number, headers) =>
      read(api.sites[':id'].devices[':kind'][':device']['try-again'].$post({ param }, { headers })),
    { invalidates: [['devices']] },
  );
  const { data, isPending, error } = check;
  const tryAgain = () => check.mutate(Date.now());
  useShortcut('t', WORDS.tryAgain, tryAgain);
  return (
    <section className="form">
      <div>
        <Button look={alarm ? 'primary' : 'plain'} isPending={isPending} onPress={tryAgain}>
          <RotateCw size={14} aria-hidden="true" /> {WORDS.tryAgain}
        </Button>
      </div>
      <div role="status">
        {isPending && <p className="quiet-text">{WORDS.trying}</p>}
        {data && !isPending && (
          <p>
            {WORDS.checked} <Badge tone={stateTone(data.state)}>{stateName(data.state)}</Badge> {data.detail}
          </p>
        )}
      </div>
      <RefusedNotice error={error} />
    </section>
  );
}
