import { Badge } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { answered } from '../../calls/api.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { type OpenSession, readSessions, tokenApi } from './account-api.ts';
import { ACCOUNT } from './account-words.ts';
import { agentName } from './agent-name.ts';

/** The sessions of an account. An ended session cannot be restored: its holder logs in again. */
export function Sessions({ accountId, canEnd }: { accountId: string; canEnd: boolean }) {
  const timeZone = useTimeZone();
  const toasts = useToasts();
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions', accountId],
    queryFn: () => readSessions(accountId),
  });
  const end = useSubmit(
    (tokenId: string, headers) =>
      answered(
        tokenApi[':id'].tokens[':tokenId'].$delete({ param: { id: accountId, tokenId } }, { headers }),
      ),
    { invalidates: [['sessions'], ['session']], onDone: () => toasts.done(ACCOUNT.sessionEnded) },
  );
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
  if (data.length === 0) return <Empty title={ACCOUNT.noSessions} />;
  return (
    <DataTable
      label={ACCOUNT.sessions}
      rows={data}
      idOf={({ id }) => id}
      columns={[
        {
          id: 'device',
          title: ACCOUNT.device,
          isWide: true,
          cell: (one) => (
            <span title={one.agent ?? ''}>
              {deviceName(one)} {one.current && <Badge tone="accent">{ACCOUNT.current}</Badge>}
            </span>
          ),
        },
        { id: 'method', title: ACCOUNT.method, cell: ({ method }) => method && ACCOUNT.methods[method] },
        { id: 'address', title: ACCOUNT.address, cell: ({ address }) => address },
        {
          id: 'since',
          title: ACCOUNT.since,
          cell: ({ createdOn }) => <Moment at={createdOn} timeZone={timeZone} />,
        },
        {
          id: 'used',
          title: ACCOUNT.lastSeen,
          cell: ({ lastSeenOn }) => lastSeenOn && <Moment at={lastSeenOn} timeZone={timeZone} />,
        },
        {
          id: 'act',
          title: COMMON.actions,
          cell: (one) =>
            canEnd && (
              <Button
                look="quiet"
                aria-label={ACCOUNT.endSessionOf({ device: deviceName(one) })}
                isDisabled={end.isPending}
                onPress={() => end.mutate(one.id, { onError: toasts.failed })}
              >
                {ACCOUNT.endSession}
              </Button>
            ),
        },
      ]}
    />
  );
}

function deviceName({ agent, isSession }: OpenSession): string {
  if (!isSession) return ACCOUNT.program;
  return (agent && agentName(agent)) || ACCOUNT.unknownDevice;
}
