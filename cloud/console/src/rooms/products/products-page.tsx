import type { productRoutes } from '@hlid/cloud/money/products/change/product-routes';
import { apiOf, read } from '../../calls/api.ts';
import { useAddress, useGo } from '../../shell/room-address.ts';
import { can, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteId, useSites } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
import { nameOf } from './product-form.ts';
import { ProductPrice } from './product-price.tsx';
import { PRODUCT } from './product-words.ts';

export const productApi = apiOf<typeof productRoutes>();

/** The products that price stays, and those that are sold in advance. */
export function ProductsPage() {
  const session = useSession();
  const siteId = useSiteId();
  const sites = useSites();
  const go = useGo();
  const addressOf = useAddress();
  const mayAdd = can(session, 'new-product');
  const add = () => go('products/new');
  useShortcut('n', PRODUCT.add, mayAdd ? add : null);
  const list = useList(
    ['products', siteId],
    ({ id }) => id,
    async (_next: string | undefined) => {
      const page = await read(productApi.products.$get({ query: {} }));
      // Those of every site are sold at this one too.
      const data = page.data.filter((one) => siteId === null || (one.siteId ?? siteId) === siteId);
      return { ...page, data, total: data.length };
    },
  );
  return (
    <Page
      title={PRODUCT.title}
      {...(mayAdd && {
        actions: (
          <Button look="primary" onPress={add}>
            {PRODUCT.add}
          </Button>
        ),
      })}
    >
      <ListView
        list={list}
        label={PRODUCT.title}
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: addressOf(`products/${id}`) })}
        columns={[
          { id: 'name', title: PRODUCT.name, isWide: true, cell: nameOf },
          { id: 'code', title: PRODUCT.code, cell: ({ productCode }) => productCode },
          { id: 'type', title: PRODUCT.type, cell: ({ type }) => PRODUCT.types[type] },
          {
            id: 'vehicle',
            title: PRODUCT.vehicle,
            cell: ({ vehicleCategory }) => PRODUCT.vehicles[vehicleCategory],
          },
          {
            id: 'price',
            title: PRODUCT.price,
            isNumber: true,
            cell: (one) => <ProductPrice product={one} />,
          },
          {
            id: 'hours',
            title: PRODUCT.hours,
            cell: ({ config: { startTime, endTime } }) =>
              startTime === '00:00' && endTime === '23:59' ? PRODUCT.always : `${startTime}–${endTime}`,
          },
          {
            id: 'site',
            title: PRODUCT.site,
            cell: (one) =>
              one.siteId === null
                ? PRODUCT.everySite
                : (sites.find(({ id }) => id === one.siteId)?.name ?? one.siteId),
          },
        ]}
        empty={
          <Empty title={PRODUCT.empty}>
            <p>{PRODUCT.emptyHint}</p>
          </Empty>
        }
      />
    </Page>
  );
}
