import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';

export default defineConfig({
  site: 'https://bees.example',
  base: '/honey',
  integrations: [starlight({ title: 'Honey' })],
});
