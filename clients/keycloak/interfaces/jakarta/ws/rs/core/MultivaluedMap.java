package jakarta.ws.rs.core;

public interface MultivaluedMap<K, V> extends java.util.Map<K, java.util.List<V>> {
    V getFirst(K key);
}
