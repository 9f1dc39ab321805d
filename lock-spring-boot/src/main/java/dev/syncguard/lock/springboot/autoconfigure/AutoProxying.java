package dev.syncguard.lock.springboot.autoconfigure;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Makes sure that somebody applies advisors, also in an application without transactions and aspects. */
final class AutoProxying implements ImportBeanDefinitionRegistrar, EnvironmentAware {

  private boolean classes = true;

  @Override
  public void setEnvironment(Environment environment) {
    classes = environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
    if (classes) {
      AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
    }
  }
}
