import type { enrolRoutes } from '@hlid/cloud/sites/sites/enrol/enrol-routes';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answered, apiOf, read } from '../../calls/api.ts';
import { ConnectionBadge } from '../../shell/connection-badge.tsx';
import { type Site, type SiteAction, siteApi, siteQuery } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { Details } from '../../ui/details.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FinalDialog } from '../../ui/final-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { WORDS } from './device-words.ts';

const api = apiOf<typeof enrolRoutes>();

/** How a site is connected, and how its computer gets in: by a code, or by a secret. */
export function SiteConnection({ site }: { site: Site }) {
  const { presence, timeZone } = site;
  const param = { id: site.id };
  const { data } = useQuery(siteQuery(site.id));
  const can = (action: SiteAction) => data?.body.actions.includes(action);
  const [asks, setAsks] = useState<'renew' | 'revoke' | null>(null);
  const enrol = useSubmit((_: null) => read(api.sites[':id'].enrolment.$post({ param })), {
    invalidates: [],
  });
  return (
    <>
      <Details
        rows={[
          [WORDS.connection, <ConnectionBadge key="state" site={site} />],
          [WORDS.since, presence.since && <Moment at={presence.since} timeZone={timeZone} isExact />],
          [WORDS.software, presence.software],
          [WORDS.behind, String(presence.lag)],
          [WORDS.events, WORDS.eventsOf({ acknowledged: presence.acknowledged, seq: presence.seq })],
        ]}
      />
      <section className="card form">
        <h2>{WORDS.enrol}</h2>
        <p>{WORDS.enrolHint}</p>
        <RefusedNotice error={enrol.error} />
        <span className="row-acts">
          {can('enrol') && (
            <Button look="primary" onPress={() => enrol.mutate(null)} isPending={enrol.isPending}>
              {WORDS.makeCode}
            </Button>
          )}
        </span>
      </section>
      <section className="card form">
        <h2>{WORDS.credentials}</h2>
        <p>{WORDS.credentialsHint}</p>
        <span className="row-acts">
          {can('renew-secret') && <Button onPress={() => setAsks('renew')}>{WORDS.renew}</Button>}
          {site.status === 'active' && can('revoke-secret') && (
            <Button look="negative" onPress={() => setAsks('revoke')}>
              {WORDS.revoke}
            </Button>
          )}
        </span>
      </section>
      {enrol.data && <CodeDialog site={site} made={enrol.data} onClose={() => enrol.reset()} />}
      {asks === 'renew' && <RenewDialog site={site} onClose={() => setAsks(null)} />}
      {asks === 'revoke' && <RevokeDialog site={site} onClose={() => setAsks(null)} />}
    </>
  );
}

/** The code as long as it is good, and whether the site has come in by it. */
function CodeDialog({
  site,
  made: { code, expiresOn },
  onClose,
}: {
  site: Site;
  made: { code: string; expiresOn: string };
  onClose: () => void;
}) {
  const left = useSecondsUntil(expiresOn);
  const [before] = useState(site.presence.since);
  const isIn = site.presence.connected && site.presence.since !== before;
  return (
    <Dialog title={WORDS.enrol} onClose={onClose}>
      {isIn ? (
        <p className="notice" role="status">
          {WORDS.enrolled}
        </p>
      ) : left === 0 ? (
        <p className="notice caution" role="status">
          {WORDS.ranOut}
        </p>
      ) : (
        <div className="form">
          <CopyableText label={WORDS.code} value={code} />
          <CopyableText label={WORDS.command} value={`sudo hlid enrol ${code} --cloud ${location.origin}`} />
          <p role="timer">{WORDS.runsOut({ left: clockOf(left) })}</p>
        </div>
      )}
      <footer>
        <Button onPress={onClose}>{COMMON.close}</Button>
      </footer>
    </Dialog>
  );
}

function RenewDialog({ site, onClose }: { site: Site; onClose: () => void }) {
  const param = { id: site.id };
  const renew = useSubmit((_: null) => read(siteApi.sites[':id'].credentials.$post({ param })), {
    invalidates: [['sites']],
  });
  if (renew.data) {
    return (
      <Dialog title={WORDS.renewOf({ site: site.name })} onClose={onClose}>
        <CopyableText label={WORDS.secret} value={renew.data.secret} />
        <footer>
          <Button onPress={onClose}>{COMMON.close}</Button>
        </footer>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={WORDS.renew}
      submit={WORDS.renewOf({ site: site.name })}
      isFinal
      error={renew.error}
      isBusy={renew.isPending}
      onSubmit={() => renew.mutate(null)}
      onClose={onClose}
    >
      <p>{WORDS.renewHint}</p>
    </FormDialog>
  );
}

function RevokeDialog({ site, onClose }: { site: Site; onClose: () => void }) {
  return (
    <FinalDialog
      title={WORDS.revoke}
      submit={WORDS.revokeOf({ site: site.name })}
      send={() => answered(siteApi.sites[':id'].credentials.$delete({ param: { id: site.id } }))}
      invalidates={[['sites']]}
      done={WORDS.revokedDone}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{WORDS.revokeHint}</p>
    </FinalDialog>
  );
}

function useSecondsUntil(end: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((Date.parse(end) - now) / 1000));
}

/** `14:05` */
function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
