import type { SiteSettings } from '@hlid/protocol/lane';
import { settingsUnder } from '@hlid/protocol/stay-price';
import type { VisitPrice } from '@hlid/protocol/visit';
import type { Queries } from '../../db/db.ts';
import { productVersion } from '../../products/product-version-store.ts';
import type { ChosenSite } from '../../sites/choose-site.ts';

/** A site's settings with the times of grace of the tariff that made a price, where it has its own. */
export async function settingsFor(
  q: Queries,
  { settings }: Pick<ChosenSite, 'settings'>,
  price: Pick<VisitPrice, 'product'> | null,
): Promise<SiteSettings> {
  return settingsUnder(settings, price && (await productVersion(q, price.product)));
}
