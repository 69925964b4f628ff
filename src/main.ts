/**
 * Starts the page: styles first, so that nothing is painted without them, then the app. Not inside a frame, where a
 * host that sends no headers cannot forbid that another site shows the page and lays things over its buttons.
 */
import { mount } from 'svelte';
import './ui/shell/theme.css';
import './ui/shell/base.css';
import './ui/shell/controls.css';
import './ui/shell/print.css';
import App from './ui/shell/App.svelte';
import Framed from './ui/shell/Framed.svelte';

mount(window.top === window ? App : Framed, { target: document.getElementById('app')! });
