import { expect, it } from 'vitest';
import { paymentPagePolicy } from './page-policy.ts';

it('allows our own files and what the provider names, and no inline scripts', () => {
  const policy = paymentPagePolicy({
    script: ['https://js.provider.example'],
    connect: [],
    frame: ['https:'],
    form: ['https:'],
  });
  expect(policy).toContain("script-src 'self' https://js.provider.example;");
  expect(policy).toContain("frame-src 'self' https:;");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect(paymentPagePolicy(null)).toContain("script-src 'self';");
});
