import { defineConfig } from 'drizzle-kit';

/**
 * `npm run -w @hlid/cloud migrations -- --name what-changes` writes the next migration from the tables. As long as nothing
 * is released there is one: delete the folder first, and name it `first`.
 */
export default defineConfig({
  dialect: 'sqlite',
  schema: './src/**/*-table.ts',
  out: './migrations',
});
