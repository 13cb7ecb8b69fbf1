import type { ShownProduct as Product } from '@hlid/cloud/money/products/product';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Moment, OWN_ZONE } from '../../../ui/time.tsx';
import { dayText } from '../../../ui/wall-text.ts';
import { ProductPrice } from '../product-price.tsx';
import { PRODUCT } from '../product-words.ts';
import { CompareVersions } from './compare-versions.tsx';
import { type ProductVersion, readVersions } from './product-versions.ts';
import { VERSION } from './version-words.ts';
import { WithdrawButton } from './withdraw-button.tsx';

/** The versions of a product: what held, what holds, and what is planned. */
export function VersionsPanel({
  product,
  mayEdit,
  onWithdrawn,
  onEdit,
}: {
  product: Product;
  mayEdit: boolean;
  onWithdrawn: () => void;
  /** A planned version is to be changed. */
  onEdit: (version: ProductVersion) => void;
}) {
  const query = useQuery({
    queryKey: ['products', 'versions', product.id],
    queryFn: () => readVersions(product.id),
  });
  return (
    <section className="card" aria-label={VERSION.title}>
      <h2>{VERSION.title}</h2>
      <QueryView query={query}>
        {(versions) => (
          <>
            <DataTable
              label={VERSION.title}
              rows={versions}
              idOf={({ version }) => String(version)}
              columns={[
                { id: 'version', title: PRODUCT.version, isNumber: true, cell: ({ version }) => version },
                { id: 'state', title: VERSION.state, cell: ({ state }) => VERSION.states[state] },
                { id: 'from', title: VERSION.from, cell: (one) => <HoldsFrom version={one} /> },
                { id: 'saved', title: VERSION.saved, isWide: true, cell: (one) => <Saved version={one} /> },
                {
                  id: 'price',
                  title: PRODUCT.price,
                  isNumber: true,
                  cell: (one) => <ProductPrice product={one} />,
                },
                {
                  id: 'acts',
                  title: VERSION.acts,
                  cell: (one) =>
                    one.state === 'planned' &&
                    mayEdit && (
                      <span className="row-acts">
                        <Button onPress={() => onEdit(one)}>{VERSION.edit}</Button>
                        <WithdrawButton
                          productId={product.id}
                          version={one.version}
                          validFrom={one.validFrom}
                          onWithdrawn={onWithdrawn}
                        />
                      </span>
                    ),
                },
              ]}
            />
            {versions.length > 1 && <CompareVersions versions={versions} />}
          </>
        )}
      </QueryView>
    </section>
  );
}

function HoldsFrom({ version: { validFrom, heldOn } }: { version: ProductVersion }) {
  if (validFrom !== null) return dayText(validFrom);
  return heldOn !== null && <Moment at={heldOn} timeZone={OWN_ZONE} isExact />;
}

function Saved({ version }: { version: ProductVersion }) {
  const { savedOn, savedBy, savedByName, withdrawnOn, withdrawnBy, withdrawnByName } = version;
  return (
    <>
      <Moment at={savedOn} timeZone={OWN_ZONE} isExact />, {savedByName ?? savedBy}
      {withdrawnOn !== null && (
        <div>
          {VERSION.withdrawn}: <Moment at={withdrawnOn} timeZone={OWN_ZONE} isExact />,{' '}
          {withdrawnByName ?? withdrawnBy}
        </div>
      )}
    </>
  );
}
