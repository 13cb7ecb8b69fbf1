import { SITE_CODE_CHARACTERS } from '@hlid/protocol/site-link/site-code';
import { expect, it } from 'vitest';
import { createTestApi } from '../../../../test/api.ts';
import { newSiteCode } from './new-site-code.ts';

it('is short, and longer where the short ones are taken', async () => {
  const api = await createTestApi();
  try {
    expect(api.site.code).toHaveLength(4);
    const again = [...api.site.code].map((character) => SITE_CODE_CHARACTERS.indexOf(character));
    let drawn = 0;
    const sameAgain = () => again[drawn++ % again.length] ?? 0;
    const code = await api.db.read((q) => newSiteCode(q, sameAgain));
    expect(code).toHaveLength(5);
    expect(code.startsWith(api.site.code)).toBe(true);
  } finally {
    await api.close();
  }
});
