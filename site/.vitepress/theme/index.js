import DefaultTheme from 'vitepress/theme';
import VersionLinks from './VersionLinks.vue';
import './contrast.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('VersionLinks', VersionLinks);
  },
};
