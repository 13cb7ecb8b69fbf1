import { read } from '../../../calls/api.ts';
import { productApi } from '../products-page.tsx';

export async function readVersions(id: string) {
  return (await read(productApi.products[':id'].versions.$get({ param: { id } }))).data;
}
export type ProductVersion = Awaited<ReturnType<typeof readVersions>>[number];
