import type { ShownProduct as Product } from '@hlid/cloud/money/products/product';
import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../../calls/api.ts';
import { useSites } from '../../../shell/site.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { periodOf } from '../../../ui/period.ts';
import { DateField } from '../../../ui/period-field.tsx';
import { RefusedNotice } from '../../../ui/states.tsx';
import { OWN_ZONE } from '../../../ui/time.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import type { ProductInput } from '../product-form.ts';
import { PRODUCT } from '../product-words.ts';
import { DryRunResult } from './dry-run-result.tsx';
import { DRY_RUN } from './dry-run-words.ts';
import { isUnderWay, RUNS, readRuns, runApi } from './runs.ts';

const LOOK_AGAIN_MS = 1000;

interface Wanted {
  input: ProductInput;
  from: string;
  to: string;
  siteId?: string;
}

/** Prices the visits of a past period by what is typed, before it is saved. */
export function DryRunPanel({ product, input }: { product: Product; input: ProductInput | null }) {
  const sites = useSites();
  const [siteId, setSiteId] = useState(product.siteId ?? '');
  const [period, setPeriod] = useState(() => periodOf('lastMonth', siteWall(new Date(), OWN_ZONE).day));
  const runs = useQuery({
    queryKey: RUNS[0],
    queryFn: readRuns,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_AGAIN_MS : false),
  });
  const begin = useSubmit(
    ({ input: { price, window, tariff }, ...chosen }: Wanted, headers) => {
      const draft = { price, config: { ...window, tariff } };
      const json = { productId: product.id, draft, ...chosen };
      return read(runApi.products['dry-run'].$post({ json }, { headers }));
    },
    { invalidates: RUNS },
  );
  const newest = runs.data?.find(({ productId }) => productId === product.id);
  const isBusy = begin.isPending || (runs.data?.some(isUnderWay) ?? false);
  return (
    <section className="card form" aria-label={DRY_RUN.title}>
      <h2>{DRY_RUN.title}</h2>
      <p className="quiet-text">{DRY_RUN.hint}</p>
      <div className="row">
        {product.siteId === null && (
          <ChoiceField
            label={PRODUCT.site}
            value={siteId}
            choices={[['', PRODUCT.everySite], ...sites.map(({ id, name }) => [id, name] as const)]}
            onChange={setSiteId}
          />
        )}
        <DateField
          label={DRY_RUN.from}
          value={period.from}
          onChange={(from) => setPeriod({ ...period, from })}
        />
        <DateField label={DRY_RUN.to} value={period.to} onChange={(to) => setPeriod({ ...period, to })} />
      </div>
      <RefusedNotice error={begin.error} />
      <div>
        <Button
          isDisabled={input === null || isBusy || period.from === '' || period.to === ''}
          isPending={begin.isPending}
          onPress={() => {
            if (input) begin.mutate({ input, ...period, ...(siteId !== '' && { siteId }) });
          }}
        >
          {DRY_RUN.begin}
        </Button>
      </div>
      {newest && <DryRunResult key={newest.id} run={newest} />}
    </section>
  );
}
