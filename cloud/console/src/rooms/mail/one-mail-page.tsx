import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { read } from '../../calls/api.ts';
import { useTimeZone } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { MailState, mailApi } from './mail-page.tsx';
import { WORDS } from './mail-words.ts';
import './mail.css';

/** One mail with its text. */
export function OneMailPage() {
  const { site = 'all', id = '' } = useParams({ strict: false });
  const timeZone = useTimeZone();
  const toasts = useToasts();
  const param = { id };
  const query = useQuery({
    queryKey: ['mail', 'one', id],
    queryFn: () => read(mailApi.mail[':id'].$get({ param })),
  });
  const again = useSubmit(
    (_: null, headers) => read(mailApi.mail[':id'].send.$post({ param }, { headers })),
    { invalidates: [['mail']], onDone: () => toasts.done(WORDS.queued) },
  );
  return (
    <QueryView query={query} lines={8}>
      {({ subject, to, kind, actions, status, attempts, nextTryOn, error, createdOn, sentOn, text }) => (
        <Page
          title={subject}
          isWide={false}
          actions={
            <>
              <BackLink to={`/${site}/mail`}>{WORDS.title}</BackLink>
              {actions.includes('send') && (
                <Button onPress={() => again.mutate(null)} isPending={again.isPending}>
                  {WORDS.againTo({ to })}
                </Button>
              )}
            </>
          }
        >
          <RefusedNotice error={again.error} />
          <Details
            rows={[
              [WORDS.status, <MailState key="status" status={status} />],
              [WORDS.kind, WORDS.kinds[kind]],
              [WORDS.to, to],
              [WORDS.when, <Moment key="made" at={createdOn} timeZone={timeZone} isExact />],
              [WORDS.sent, sentOn && <Moment key="sent" at={sentOn} timeZone={timeZone} isExact />],
              [WORDS.nextTry, nextTryOn && <Moment key="next" at={nextTryOn} timeZone={timeZone} />],
              [WORDS.attempts, attempts === 0 ? null : attempts],
              [WORDS.error, error],
            ]}
          />
          {text === null ? (
            <p className="quiet-text">{WORDS.hidden}</p>
          ) : (
            <pre className="card mail-text">{text}</pre>
          )}
        </Page>
      )}
    </QueryView>
  );
}
