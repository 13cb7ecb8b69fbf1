import type { enrolRoutes } from '@hlid/cloud/sites/sites/enrol/enrol-routes';
import { useEffect, useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import type { StepProps } from './opening-api.ts';
import { WORDS } from './opening-words.ts';

const api = apiOf<typeof enrolRoutes>();

/** A code for the computer at the site, as long as it is valid, and the commands to type there. */
export function EnrolmentStep({ siteId, opening, step }: StepProps) {
  const { code } = opening.facts;
  const param = { id: siteId };
  const make = useSubmit(
    (_: number, headers) => read(api.sites[':id'].enrolment.$post({ param }, { headers })),
    { invalidates: [['opening']] },
  );
  // The code is shown where it was made only: the cloud does not store it.
  const isOurs = make.data?.expiresOn === code?.expiresOn;
  const shown = isOurs ? make.data?.code : undefined;
  const isWaiting = step.reason === 'code-valid';
  return (
    <ol className="opening-commands">
      <li>
        <CopyableText label={WORDS.code.install} value="sudo apt install ./hlid-edge_*.deb" />
      </li>
      <li className="form">
        {isWaiting && code && (
          <>
            {shown ? (
              <>
                <CopyableText label={WORDS.code.code} value={shown} />
                <CopyableText
                  label={WORDS.code.enrol}
                  value={`sudo hlid enrol ${shown} --cloud ${location.origin}`}
                />
              </>
            ) : (
              <p>{WORDS.code.hidden}</p>
            )}
            <Countdown until={code.expiresOn} />
          </>
        )}
        <p className="hint">{WORDS.code.once}</p>
        <span className="row-acts">
          <Button
            look={step.state === 'to-do' ? 'primary' : 'plain'}
            isPending={make.isPending}
            onPress={() => make.mutate(Date.now())}
          >
            {code === null ? WORDS.code.make : WORDS.code.renew}
          </Button>
        </span>
        <RefusedNotice error={make.error} />
      </li>
      <li>
        <CopyableText label={WORDS.code.setup} value="sudo hlid setup" />
      </li>
      <li>
        <CopyableText
          label={WORDS.code.start}
          value="sudo hlid config check && sudo systemctl enable --now hlid-edge"
        />
      </li>
    </ol>
  );
}

function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return <p role="timer">{WORDS.code.left({ left })}</p>;
}
