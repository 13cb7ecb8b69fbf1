import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  bringFirstStepsBack,
  countDone,
  FIRST_STEPS_KEY,
  type FirstStep,
  firstStepsQuery,
  putFirstStepsAway,
} from '../../shell/first-steps.ts';
import { EVERY_SITE, useSites } from '../../shell/site.ts';
import type { Filters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { Checklist, Progress } from '../../ui/checklist.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { WORDS } from './first-steps-words.ts';

/** Steps that are done elsewhere show soon. */
const REFETCH_MS = 5000;

/**
 * The page on which each step is done. Mail and backups are set up on the server. @param site the first one,
 * or every site
 */
const ADDRESSES: Readonly<Partial<Record<FirstStep, (site: string) => { to: string; search?: Filters }>>> = {
  'second-factor': () => ({ to: `/${EVERY_SITE}/login` }),
  mail: () => ({ to: `/${EVERY_SITE}/mail` }),
  site: () => ({ to: `/${EVERY_SITE}/sites` }),
  seller: (site) => ({ to: `/${site}/opening`, search: { step: 'seller' } }),
  prices: () => ({ to: `/${EVERY_SITE}/products` }),
  'access-point': () => ({ to: `/${EVERY_SITE}/money`, search: { tab: 'invoices' } }),
  opening: (site) => ({ to: `/${site}/opening` }),
  colleague: () => ({ to: `/${EVERY_SITE}/accounts` }),
};

/** The remaining steps of a new installation. Each step ticks itself. */
export function FirstStepsPage() {
  const query = useQuery({ ...firstStepsQuery, staleTime: 0, refetchInterval: REFETCH_MS });
  const sites = useSites();
  const put = useSubmit((away: boolean) => (away ? putFirstStepsAway() : bringFirstStepsBack()), {
    invalidates: [FIRST_STEPS_KEY],
  });
  return (
    <Page title={WORDS.title} isWide={false}>
      <p>{WORDS.intro}</p>
      <QueryView query={query} lines={8}>
        {(found) => {
          const { steps, siteId, putAway } = found;
          const done = countDone(found);
          const site = sites.find(({ id }) => id === siteId)?.name;
          return (
            <>
              <Progress done={done} total={steps.length} />
              <Checklist
                label={WORDS.title}
                items={steps.map(({ step, state }) => {
                  const address = ADDRESSES[step]?.(siteId ?? EVERY_SITE);
                  const { title, why, link } = WORDS.steps[step];
                  return {
                    key: step,
                    state,
                    title,
                    text: state === 'waiting' || state === 'failing' ? waitingText(step, state) : why,
                    action:
                      address !== undefined && (state !== 'waiting' || step === 'mail') ? (
                        <Link {...address}>
                          {site !== undefined && step === 'opening' ? `${link}: ${site}` : link}
                        </Link>
                      ) : undefined,
                  };
                })}
              />
              <p className="row-acts">
                {done === steps.length ? <strong role="status">{WORDS.allDone}</strong> : null}
                <Button isPending={put.isPending} onPress={() => put.mutate(!putAway)}>
                  {putAway ? WORDS.bringBack : WORDS.putAway}
                </Button>
                <span className="quiet-text">{putAway ? WORDS.isAway : WORDS.whereAgain}</span>
              </p>
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

function waitingText(step: FirstStep, state: 'waiting' | 'failing'): string {
  if (step === 'mail') return state === 'failing' ? WORDS.mailFails : WORDS.mailUntried;
  if (step === 'backup') return state === 'failing' ? WORDS.backupFails : WORDS.backupUntried;
  return WORDS.needsSite;
}
