import { defineConfig } from 'vitepress'

export default defineConfig({ base: '/honey/', cleanUrls: true, title: 'Honey' })
